/** How long something takes or has taken, in words, in its largest unit: `4 minutes`. */
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

export function durationWords(ms: number): string {
  const [unit, size] = units.find(([, each]) => ms >= each) ?? (['second', 1_000] as const);
  const count = Math.max(0, Math.trunc(ms / size));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
