import type { Weir as Sync } from '../index.js';
import type { Weir as Worker } from '../worker.js';

export interface AdapterOptions {
  /** The session's name, or a function of the framework's context of a call. */
  session?: string | ((...context: any[]) => string | undefined);
  log?: (message: string) => void;
}

/** `ai-sdk`, `mastra`: the tools with large results replaced, and the tool that reads on. */
export function weirTools<T extends Record<string, any>>(
  weir: Sync | Worker, tools?: T, options?: AdapterOptions,
): Promise<T & Record<string, any>>;

/** `mcp`: a server whose large tool results are replaced. `name`: what the store calls the server. */
export function withWeir<S>(server: S, weir: Sync | Worker, options?: AdapterOptions & { name?: string }): S;
