/** When a claimable balance may be claimed (CAP-23), in Horizon's words for the conditions of the protocol. */
type Condition = {
  readonly unconditional?: boolean;
  readonly and?: readonly unknown[];
  readonly or?: readonly unknown[];
  readonly not?: unknown;
  readonly abs_before?: string;
  readonly abs_before_epoch?: string;
};

/** A condition that we cannot read counts as not fulfilled: a try would cost a fee. */
export function canClaimAt(predicate: unknown, seconds: number): boolean {
  const condition = (predicate ?? {}) as Condition;
  const holds = (inner: unknown): boolean => canClaimAt(inner, seconds);
  if (condition.unconditional === true) return true;
  if (condition.and) return condition.and.every(holds);
  if (condition.or) return condition.or.some(holds);
  if (condition.not !== undefined) return isReadable(condition.not) && !holds(condition.not);
  const before = endOf(condition);
  return before !== null && seconds < before;
}

function isReadable(predicate: unknown): boolean {
  const condition = (predicate ?? {}) as Condition;
  const inner = [
    ...(condition.and ?? []),
    ...(condition.or ?? []),
    ...(condition.not === undefined ? [] : [condition.not]),
  ];
  return inner.length > 0 ? inner.every(isReadable) : condition.unconditional === true || endOf(condition) !== null;
}

/** Times relative to the making of the balance are stored as absolute times in the ledger (CAP-23). */
function endOf({ abs_before, abs_before_epoch }: Condition): number | null {
  if (abs_before_epoch !== undefined && /^\d+$/.test(abs_before_epoch)) return Number(abs_before_epoch);
  const time = abs_before === undefined ? Number.NaN : Date.parse(abs_before) / 1000;
  return Number.isNaN(time) ? null : time;
}
