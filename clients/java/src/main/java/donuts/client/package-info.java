/**
 * A client for arenas in which bots play DONUTS: DBP over ZeroMQ, in msgpack or text, with CURVE.
 *
 * <p>Write a {@link donuts.client.Bot}, and let a {@link donuts.client.Client} play it. {@link donuts.client.Codec} and
 * {@link donuts.client.Message} need no socket and serve for any other transport as well. Clauses such as DBP-11.8 are
 * those of protocol/SPEC.md.
 */
package donuts.client;
