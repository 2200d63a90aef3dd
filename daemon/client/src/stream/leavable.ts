/**
 * A stream that can be left while its next event is waited for: `return()` of a generator alone takes effect only when
 * that event has come. The signal tells that the reader has left; `read` then ends without an error.
 */
export function leavable<T>(read: (leaving: AbortSignal) => AsyncGenerator<T>): AsyncGenerator<T> {
  const leaving = new AbortController();
  const generator = read(leaving.signal);
  const end = generator.return.bind(generator);
  generator.return = (value) => {
    leaving.abort(new DOMException("The reader has left", "AbortError"));
    return end(value);
  };
  return generator;
}
