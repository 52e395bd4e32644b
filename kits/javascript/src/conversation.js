/** What is known of one conversation: keep one for each, and give it to every `invoke`. */
export class Conversation {
  constructor({ visible = [], strict = false, revealFirst = false } = {}) {
    this.state = { visible, strict, revealFirst };
  }

  /** Call it when the model's context was compacted: what was described is then described again in full. */
  compacted() { delete this.state.shown; }
}
