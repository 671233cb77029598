/** For whom a page of the operator's area is written. In English only: it is for the few who run the installation. */
import type { AccountLook } from '../account/frame/account-look.ts';
import { sayInAccount } from '../account/texts/account-texts.ts';
import type { StaffPermission } from '../people/staff-roles.ts';

export type OperatorLook = AccountLook & {
  readonly staffMay: (permission: StaffPermission) => boolean;
  /** Whether there is a network that is told in files. */
  readonly hasBanks: boolean;
};

export const operatorLook =
  ({ banks }: { readonly banks: readonly string[] }) =>
  (look: AccountLook): OperatorLook => ({
    ...look,
    hasBanks: banks.length > 0,
    language: 'en',
    say: sayInAccount('en'),
    staffMay: (permission) => look.signedIn !== null && look.signedIn.staffGrant(permission) !== 'no',
  });
