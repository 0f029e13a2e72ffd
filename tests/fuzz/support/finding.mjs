/** A rule that an outcome breaks, such as `foreign_exception`, and what broke it. */
export class Finding extends Error {
  constructor(rule, message) {
    super(message);
    this.rule = rule;
  }
}

/** Throws a finding unless `holds`. The message is only made when it is needed. */
export function expectThat(holds, rule, message) {
  if (!holds) throw new Finding(rule, typeof message === 'function' ? message() : message);
}

/** What findings of one cause have in common: the rule and the message without its values. */
export function causeOf({ rule, message }) {
  return `${rule}: ${message.replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"').replaceAll(/\d+/g, 'N')}`.slice(0, 160);
}
