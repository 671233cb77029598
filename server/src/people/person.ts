/** Somebody who signs in. Belongs to any number of accounts, to the operator's staff, or to nobody yet. */
import { isStorable } from '../http/parse-json.ts';
import { withoutHidden } from '../lib/hidden-characters.ts';
import { businessWrong, emailWrong, nameLong, nameMissing } from './people-errors.ts';

export type Person = {
  readonly id: string;
  /** What they are written to by. */
  readonly email: string;
  /** What they sign in by: the address, or a longer name where somebody else goes by it. */
  readonly signInName: string;
  /** The address is theirs. Otherwise it is what somebody said, and makes them nobody elsewhere. */
  readonly isProven: boolean;
  readonly name: string;
  readonly language: string;
  readonly hasPassword: boolean;
  readonly hasTotp: boolean;
  readonly passkeys: number;
  readonly codesLeft: number;
};

/** One person has proven an address, however it is written. */
export const normalizedEmail = (email: string): string => email.trim().toLowerCase();

/** Refuses what cannot be an e-mail address. Whether it exists, only its mail server knows. */
export const isEmail = (text: string): boolean =>
  /^[^\s@,;<>"]{1,64}@[^\s@,;<>"]{1,189}\.[^\s@,;<>".]{2,63}$/.test(text) && isStorable(text);

const nameMax = 100;

export function readName(text: string): string {
  const name = withoutHidden(text);
  if (name === '') throw nameMissing();
  if (name.length > nameMax || !isStorable(name)) throw nameLong();
  return name;
}

/** The name that an account shall have. */
export function readBusiness(text: string): string {
  const business = withoutHidden(text);
  if (business === '' || business.length > nameMax || !isStorable(business)) throw businessWrong();
  return business;
}

export function readEmail(text: string): string {
  const email = normalizedEmail(text);
  if (!isEmail(email)) throw emailWrong();
  return email;
}
