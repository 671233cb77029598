/**
 * Who does something: an API key, a person, the operator at the command line, or a payer, who has no account and can
 * only ask for their own money back. Stored in this form in the audit log and beside an approval, so that both can be
 * read without looking anything up.
 */
export type KeyActor = `key:${string}`;
export type PersonActor = `person:${string}`;
export type Actor = KeyActor | PersonActor | 'operator' | 'payer';

export const keyActor = (apiKey: string): KeyActor => `key:${apiKey}`;

export const personActor = (personId: string): PersonActor => `person:${personId}`;

export const apiKeyOf = (actor: KeyActor): string => actor.slice('key:'.length);

export const isPersonActor = (actor: Actor): actor is PersonActor => actor.startsWith('person:');

export const personIdOf = (actor: PersonActor): string => actor.slice('person:'.length);

/** How the API shows who approved an order: a key without the prefix. Rows of earlier releases hold only keys. */
export const shownActor = (stored: string): string => stored.replace(/^key:/, '');

/** Who can ask for money to be moved. */
export type Asker = KeyActor | PersonActor;

/** The key that signs webhooks about what was asked for; null: a person has none. */
export const signingKeyOf = (asker: Asker): string | null => (isKeyActor(asker) ? apiKeyOf(asker) : null);

/** Who asked for what is stored. Rows of earlier releases, and of keys of the previous one, hold only the key. */
export const storedAsker = (requestedBy: string | null, apiKey: string | null): Asker =>
  (requestedBy as Asker | null) ?? keyActor(apiKey ?? '');

export const isKeyActor = (actor: Actor): actor is KeyActor => actor.startsWith('key:');
