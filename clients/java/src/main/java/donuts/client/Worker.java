package donuts.client;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Runs the bot's own code in a thread, so that the connection is looked after meanwhile. */
final class Worker implements AutoCloseable {
    /** ms between two reports, so that they stay below 20 a second (DBP-6.10). */
    private static final long REPORT_GAP = 50;

    /** Something that the bot has to do; the answer of a question is what its run returns. */
    interface Run {
        Message run(Thinking thinking) throws Exception;
    }

    /** What came of a job, or a report on the way. */
    record Result(Job job, Message message, Throwable fault) {}

    private final ExecutorService thread = Executors.newSingleThreadExecutor(run -> {
        Thread thread = new Thread(run, "bot");
        thread.setDaemon(true); // a bot that does not come back from `move` keeps no program alive
        return thread;
    });
    private final Queue<Result> results = new ConcurrentLinkedQueue<>();
    private final Bell bell;

    Worker(Bell bell) {
        this.bell = bell;
    }

    /** A question, from when it is put to the bot; id is -1 for what is no question. */
    final class Job implements Thinking {
        final long id;
        private final boolean reports;
        private volatile boolean givenUp;
        private long reported = System.nanoTime() - TimeUnit.SECONDS.toNanos(1);

        private Job(long id, boolean reports) {
            this.id = id;
            this.reports = reports;
        }

        /** Tells the bot that nobody waits any longer. */
        void giveUp() {
            givenUp = true;
        }

        @Override
        public boolean givenUp() {
            return givenUp;
        }

        @Override
        public boolean report(Report report) {
            long now = System.nanoTime();
            if (!reports || givenUp || now - reported < TimeUnit.MILLISECONDS.toNanos(REPORT_GAP)) {
                return false;
            }
            reported = now;
            tell(new Result(this, new Message.Info(id, report), null));
            return true;
        }
    }

    /** Gives the bot something to do, after what it is at. */
    Job start(long id, boolean reports, Run run) {
        Job job = new Job(id, reports);
        thread.execute(() -> {
            if (id >= 0 && job.givenUp()) {
                return;
            }
            try {
                tell(new Result(job, run.run(job), null));
            } catch (Throwable fault) { // an Error of the bot is a fault of the bot as well
                tell(new Result(job, null, fault));
            }
        });
        return job;
    }

    private void tell(Result result) {
        results.add(result);
        bell.ring();
    }

    /** The next result; null where there is none yet. */
    Result next() {
        return results.poll();
    }

    /** Lets the bot finish what it has to do, for at most so many ms. */
    void finish(long most) {
        thread.shutdown();
        try {
            thread.awaitTermination(most, TimeUnit.MILLISECONDS);
        } catch (InterruptedException fault) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
