import type { AsyncMethods } from './async.js';
import type { Catalog, Options, Weir as Sync } from './index.js';

export * from './types.js';
export { WeirError, Refused, Trapped, SettingsError, StoreError, Conversation } from './index.js';

export interface Weir extends AsyncMethods {
  catalog(...args: Parameters<Sync['catalog']>): Promise<Catalog>;
  /** Waits for the calls under way, and lets another page have the store. Later calls are refused. `await using` does it. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
export const Weir: {
  /** A name below the origin's private file system, a FileSystemDirectoryHandle, or null to keep nothing. */
  open(
    directory: string | object | null,
    options?: Options & {
      /** The bytes of a file of the package's folder `component`, or the answer of a server with them. Default: `fetch`. */
      source?: (name: string) => Promise<ArrayBuffer | Uint8Array | Response | undefined>;
    },
  ): Promise<Weir>;
};
