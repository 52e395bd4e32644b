// What the adapters share. An adapter never breaks a call: when Weir fails, the result passes as it came.
import { WeirError } from '../errors.js';
import { options } from '../options.js';

export class Results {
  /** `session`: a name, or a function of the framework's own context that gives it. */
  constructor(weir, given) {
    const { session = 'default', log = (message) => console.warn(`weir: ${message}`) } = options('weirTools', given, ['session', 'log']);
    this.weir = weir;
    this._session = session;
    this._log = log;
  }

  /** Tools over stored results; of a Weir in a worker or a browser they come later. */
  async tools() {
    this._tools ??= await this.weir.resultTools();
    return this._tools;
  }

  session(...context) {
    const found = typeof this._session === 'function' ? this._session(...context) : this._session;
    return found === undefined || found === null || found === '' ? 'default' : String(found);
  }

  /** What to show of any value: itself, or an excerpt of the text or the JSON that it is. */
  async value(session, tool, value, given) {
    if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean') return value;
    try {
      const whole = typeof value === 'string' ? value : JSON.stringify(value);
      if (whole === undefined) return value;
      const shown = await this.weir.show(session, tool, whole, { arguments: given });
      return shown === whole ? value : shown;
    } catch (error) {
      if (!(error instanceof WeirError || error instanceof TypeError)) throw error;
      this._log(`a result of ${tool} is shown as it came: ${error.message}`);
      return value;
    }
  }

  /** What one of our tools answers a model. */
  async read(session, name, given) {
    try {
      return await this.weir.invoke(session, name, given ?? {});
    } catch (error) {
      if (!(error instanceof WeirError)) throw error;
      this._log(`${name} failed: ${error.message}`);
      return { text: `${name} failed: ${error.message}`, isError: true };
    }
  }
}
