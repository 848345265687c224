// SPDX-License-Identifier: Apache-2.0
//
// The approval window: one for the pending question, closed when its ceremony ends.

const page = 'approval.html';

export class Approval {
  #send;
  #question = null;
  #window = null;
  #view = null;

  constructor(send) {
    this.#send = send;
    chrome.runtime.onConnect.addListener((view) => this.#connect(view));
    chrome.windows.onRemoved.addListener((id) => this.#removed(id));
  }

  /** Shows a question, in the open window if there is one. */
  async ask(question) {
    this.#question = question;
    if (this.#view) return this.#view.postMessage(question);
    if (this.#window !== null) return;
    this.#window = 'opening';
    try {
      const size = { width: 420, height: 460 };
      this.#window = (await chrome.windows.create({ url: page, type: 'popup', focused: true, ...size })).id;
    } catch {
      // Without a window the user cannot answer.
      this.#window = null;
      if (this.#question) this.#send({ type: 'answer', question: this.#question.question, answer: 'refuse' });
      return;
    }
    // The ceremony ended while the window was opening.
    if (!this.#question) this.#close();
  }

  /** Ends the question of a ceremony. */
  end(ceremony) {
    if (this.#question?.id === ceremony) this.endAll();
  }

  endAll() {
    this.#question = null;
    this.#close();
  }

  #close() {
    if (typeof this.#window !== 'number') return;
    const id = this.#window;
    this.#window = null;
    this.#view = null;
    chrome.windows.remove(id).catch(() => {});
  }

  #connect(view) {
    // Only our own page, in a window: no other extension or page can reach this script.
    if (view.sender?.id !== chrome.runtime.id || view.sender.url !== chrome.runtime.getURL(page)) return view.disconnect();
    this.#view = view;
    view.onMessage.addListener((message) => this.#answer(message));
    view.onDisconnect.addListener(() => {
      if (this.#view === view) this.#view = null;
    });
    if (this.#question) view.postMessage(this.#question);
  }

  #answer({ question, answer }) {
    // An answer to a question that has ended, or a second answer, means nothing.
    if (question !== this.#question?.question) return;
    this.#send({ type: 'answer', question, answer });
  }

  #removed(id) {
    if (id !== this.#window) return;
    const question = this.#question;
    this.#question = null;
    this.#window = null;
    this.#view = null;
    // Closing the window refuses.
    if (question) this.#send({ type: 'answer', question: question.question, answer: 'refuse' });
  }
}
