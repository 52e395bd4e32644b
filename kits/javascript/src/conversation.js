import { options } from './options.js';

/** What is known of one conversation: keep one for each, and give it to every `invoke`. */
export class Conversation {
  constructor(given) {
    const { visible = [], strict = false, revealFirst = false } = options('Conversation', given, ['visible', 'strict', 'revealFirst']);
    this.state = { visible, strict, revealFirst };
  }

  /** Call it when the model's context was compacted: what was described is then described again in full. */
  compacted() { delete this.state.shown; }
}
