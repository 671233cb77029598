/** Expected failures of people. Their codes have sentences in every language of the account; these here are for logs and the command line. */
import { GatewayError } from '../lib/errors.ts';

const failure = (httpStatus: number, code: string, message: string, headers: Record<string, string> = {}) =>
  new GatewayError({ code, httpStatus, message, headers });

export const passwordProblem = (code: 'password_short' | 'password_long' | 'password_common', message: string) =>
  failure(400, code, message);

export const nameMissing = () =>
  failure(400, 'name_missing', 'A name is missing: it tells the others in the account who did something.');
export const nameLong = () => failure(400, 'name_long', 'A name has at most 100 characters.');
export const emailWrong = () =>
  failure(400, 'email_wrong', 'This is not an e-mail address: it has the form name@example.com.');

/** The same for every reason, so that nobody learns which addresses have an account. */
export const signInRefused = () =>
  failure(401, 'sign_in_refused', 'The e-mail address and the password do not belong together.');
export const codeRefused = () =>
  failure(401, 'code_refused', 'The code is not right, or was used before. Wait for the next one.');
export const passkeyRefused = () => failure(401, 'passkey_refused', 'This passkey does not open this account.');
export const waitBeforeTrying = (seconds: number) =>
  failure(429, 'sign_in_wait', `Too many attempts. Try again in ${seconds} seconds.`, {
    'retry-after': String(seconds),
  });

/** Whoever guesses, guesses on elsewhere: this is for who is held up by them. */
export const tooManyElsewhere = () =>
  failure(
    429,
    'sign_in_elsewhere',
    'Too many attempts for this address came from elsewhere. Sign in with a passkey, with a link by e-mail, or in a browser ' +
      'in which you signed in before. Otherwise ask an owner of the account, or the operator, to let you in anew.',
    { 'retry-after': String(24 * 3600) },
  );

/** Used, expired or never made: whoever has a wrong link learns nothing more. */
export const linkNotGood = () =>
  failure(410, 'link_not_good', 'This link was used already, or its time is over. Ask for a new one.');
export const linkNotYetGood = (from: Date) =>
  failure(409, 'link_not_yet_good', `This link can be used from ${from.toISOString()}.`);
export const challengeNotGood = () =>
  failure(409, 'challenge_not_good', 'That took too long, or was answered already. Press the button once more.');

export const businessWrong = () =>
  failure(400, 'business_wrong', 'The name of the business must be 1 to 100 characters.');
export const signUpClosed = () =>
  failure(404, 'sign_up_closed', 'Accounts are by invitation here. Ask whoever runs this service for one.');
export const signUpsFull = () =>
  failure(503, 'sign_ups_full', 'Too many people wait for an account already. Try again tomorrow.', {
    'retry-after': String(24 * 3600),
  });
export const signUpsFromHere = () =>
  failure(429, 'sign_ups_from_here', 'Too many accounts were asked for from your network. Try again tomorrow.', {
    'retry-after': String(24 * 3600),
  });
export const signUpNotWaiting = (state: string) =>
  failure(409, 'sign_up_not_waiting', `Only a sign-up that is WAITING is decided, and this one is ${state}.`);

/** Also for who was put out, or given another role, while the request was under way. */
export const notYours = () => failure(403, 'not_yours', 'Your role in this account does not allow this.');
export const emailTaken = () => failure(409, 'email_taken', 'Somebody with this e-mail address signs in already.');
export const alreadyMember = () =>
  failure(409, 'already_member', 'This person belongs to the account already. Change the role there instead.');
export const notYourself = () => failure(409, 'not_yourself', 'Nobody can change their own role.');
export const belongsElsewhere = () =>
  failure(
    409,
    'belongs_elsewhere',
    'This person belongs to another account too, so nobody lets them in anew from here. Ask the operator for a link.',
  );
export const notRecoverable = () =>
  failure(
    409,
    'not_recoverable',
    'A link to sign in anew goes by e-mail, to an address that is proven, and to nobody else. Remove this person and invite ' +
      'them once more, or ask the operator for a link.',
  );
export const addressTaken = () =>
  failure(
    409,
    'address_taken',
    'Somebody has proven that this address is theirs. Sign in as that one, and leave the accounts that you have as this one.',
  );
export const addressProven = () =>
  failure(409, 'address_proven', 'You have proven that this address is yours already.');
export const lastOwner = () =>
  failure(
    409,
    'last_owner',
    'An account has at least one owner: make somebody else an owner first. Whoever wants to close the account asks the operator.',
  );
export const onlyOwners = () => failure(403, 'only_owners', 'Only an owner can do this to an owner.');
export const lastFactor = () =>
  failure(409, 'last_factor', 'This is your only way to sign in with a second factor. Add another one first.');
