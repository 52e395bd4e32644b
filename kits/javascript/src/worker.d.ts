import type { AsyncMethods, Promised } from './async.js';
import type { Catalog as SyncCatalog, Options, Weir as Sync } from './index.js';

export * from './types.js';
export { WeirError, Refused, Trapped, SettingsError, StoreError, Conversation } from './index.js';

/** Milliseconds that a call may take, by class. */
export interface WorkerLimits {
  small: number; transform: number; fetch: number; grep: number; index: number; search: number; sweep: number;
}
export const LIMITS: WorkerLimits;
export type Catalog = Promised<Omit<SyncCatalog, typeof Symbol.dispose>> & { [Symbol.asyncDispose](): Promise<void> };

export interface Weir extends AsyncMethods {
  catalog(...args: Parameters<Sync['catalog']>): Promise<Catalog>;
  /** Ends the worker, and calls under way with it. Later calls are refused. `await using` does it. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
export const Weir: {
  open(directory: string | null, options?: Omit<Options, 'log'> & {
    limits?: Partial<WorkerLimits>; log?: (message: string) => void;
  }): Promise<Weir>;
};
