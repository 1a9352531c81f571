/** A bot on top of the library. */
package donuts.sample;
