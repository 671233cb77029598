/**
 * Who does something: an API key, a person, or the operator at the command line. It is written as it is into the audit
 * log and beside an approval, so that both can be read without looking anything up.
 */
export type KeyActor = `key:${string}`;
export type Actor = KeyActor | `person:${string}` | 'operator';

export const keyActor = (apiKey: string): KeyActor => `key:${apiKey}`;

export const apiKeyOf = (actor: KeyActor): string => actor.slice('key:'.length);

/** As the API shows who approved an order: a key by itself. Rows of earlier releases hold nothing else. */
export const shownActor = (stored: string): string => stored.replace(/^key:/, '');

export const isKeyActor = (actor: Actor): actor is KeyActor => actor.startsWith('key:');
