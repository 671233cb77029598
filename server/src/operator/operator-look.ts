/** For whom a page of the operator's area is written. In English only: it is for the few who run the installation. */
import type { AccountLook } from '../account/account-look.ts';
import { sayInAccount } from '../account/texts/account-texts.ts';
import type { StaffPermission } from '../people/staff-roles.ts';

export type OperatorLook = AccountLook & { readonly staffMay: (permission: StaffPermission) => boolean };

export const operatorLook = (look: AccountLook): OperatorLook => ({
  ...look,
  language: 'en',
  say: sayInAccount('en'),
  staffMay: (permission) => look.signedIn !== null && look.signedIn.staffGrant(permission) !== 'no',
});
