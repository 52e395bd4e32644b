import type { Weir as Sync } from './index.js';

type Methods = Omit<
  Sync,
  'pages' | 'intake' | 'sweeper' | 'strings' | 'release' | 'close' | typeof Symbol.dispose | 'directory' | 'catalog' | 'transformChunks'
>;

/** The same calls, each a promise. */
export type Promised<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : T[K];
};

export type AsyncMethods = Promised<Methods> & {
  /** The same over all chunks of a stream. A worker is handed them when the stream has ended. */
  transformChunks(
    session: string, tool: string, chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
    options?: import('./index.js').CallOptions,
  ): Promise<import('./types.js').Transformed>;
  pages(...args: Parameters<Sync['pages']>): AsyncGenerator<import('./types.js').Page>;
};
