/** Basic authentication (spec §5.2): a fixed value that works like a password. Pure. */
import { basicDigest } from '../merchants/api-credentials.ts';

/** What the database is searched by. Undefined when the header cannot be valid. */
export const digestOfBasicHeader = (value: string): Buffer | undefined =>
  /^[0-9a-f]{64}$/i.test(value) ? basicDigest(value.toLowerCase()) : undefined;

/** Why a request with the right value is refused all the same. Undefined: it is not refused. */
export function basicProblem(isBasicAllowed: boolean, isMoneyMoving: boolean): string | undefined {
  if (!isBasicAllowed) return 'Basic authentication is switched off for this account. Use digest authentication.';
  if (isMoneyMoving) return 'This endpoint needs digest authentication.';
  return undefined;
}
