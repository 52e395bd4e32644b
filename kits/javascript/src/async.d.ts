import type { Weir as Sync } from './index.js';

type Methods = Omit<Sync, 'pages' | 'intake' | 'sweeper' | 'strings' | 'release' | 'directory' | 'catalog' | 'loadCatalog'>;

/** The same calls, each a promise. */
export type Promised<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : T[K];
};

export type AsyncMethods = Promised<Methods> & {
  pages(...args: Parameters<Sync['pages']>): AsyncGenerator<import('./types.js').Page>;
};
