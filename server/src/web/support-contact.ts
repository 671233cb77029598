/** Whom people of an account ask who are at their wits' end: the operator, by e-mail or on a page. */
export type SupportContact = {
  /** As people read it. */
  readonly text: string;
  readonly href: string;
};

const emailForm = /^[^\s@,;:<>"()?&]+@[^\s@,;:<>"()?&]+$/;

/** Null: neither an e-mail address nor a page. */
export function readSupportContact(given: string): SupportContact | null {
  if (emailForm.test(given)) return { text: given, href: `mailto:${given}` };
  const url = /^https:\/\/\S+$/.test(given) ? URL.parse(given) : null;
  return url && url.username === '' ? { text: given.replace(/^https:\/\/|\/$/g, ''), href: url.href } : null;
}
