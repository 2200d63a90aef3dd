/** Bytes that are sent as they are: a text is sent in UTF-8, a stream while it is read. */
export type Content = string | Uint8Array | Blob | ReadableStream<Uint8Array>;

/** What cannot be sent a second time. */
export function isStream(content: unknown): content is ReadableStream<Uint8Array> {
  return content instanceof ReadableStream;
}
