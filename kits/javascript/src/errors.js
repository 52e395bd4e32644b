/** The base of all errors here. `code` is a word to match on. */
export class WeirError extends Error {
  constructor(message, code) {
    super(message);
    this.name = new.target.name;
    this.code = code;
  }
}

/** The component did not do what was asked. The codes are listed in the contract at `types.failure`. */
export class Refused extends WeirError {
  constructor(failure) {
    super(`${failure.code}: ${failure.message}`, failure.code);
    /** What happened and what to do about it. */
    this.reason = failure.message;
    /** The argument that is wrong. */
    this.argument = failure.argument;
    /** Ids or names that belong to the code. */
    this.names = failure.names ?? [];
    /** The number that belongs to the code. */
    this.total = failure.total;
    /** What is remembered of a stored result that is gone. */
    this.gone = failure.gone;
  }
}

/**
 * The component stopped, by a fault or because it was ended. Nothing stored is harmed, and a result that was
 * being transformed is still yours to show.
 */
export class Trapped extends WeirError {
  constructor(called, reason, details) {
    super(`${called} was stopped (${reason})${details ? `: ${details}` : ''}`, 'trapped');
    /** The function that was called. */
    this.called = called;
    /** `deadline` for a worker that was ended, `stack`, `memory`, `fault` for all else. */
    this.reason = reason;
    /** What the component and the runtime printed. */
    this.details = details;
  }
}

/** What a model is told of a call that met a limit; every other error is thrown again. */
export function tooCostly(name, error) {
  if (!(error instanceof Trapped) || error.reason === 'fault') throw error;
  const advice = 'too costly: this takes more than one call may. Instead, use grep with a plain word, range for a part, or a query that does less for each row: it selects early, avoids repeat, recurse and nested loops, and sums up with reduce';
  return { text: `${name}: ${advice}`, isError: true, more: undefined };
}

/** Settings that cannot be used as they are. */
export class SettingsError extends WeirError {
  constructor(message) { super(message, 'settings'); }
}

/** The store's directory cannot be used. */
export class StoreError extends WeirError {
  constructor(message) { super(message, 'store'); }
}

/** A call after the end. */
export function closed() {
  return new WeirError('this Weir is closed: open its directory anew', 'closed');
}

/** The component's files are not where the code looks for them: a bundler took the code alone. */
export function missing(url) {
  return new WeirError(
    `the component is not there: there is no ${url}. Mark weir-wasm external in the bundler, or copy its folder `
    + 'component to that place; in a browser the option source can give the bytes',
    'component',
  );
}
