/** A reporter for Node's test runner: a line of JSON for each test that has ended. */
import type { TestEvent } from 'node:test/reporters';

export type TestOutcome = {
  readonly name: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  /** Of a failure: what went wrong, in one line. */
  readonly reason: string;
};

export default async function* testOutcomes(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details.type === 'suite') continue;
    const isSkipped = data.skip !== undefined && data.skip !== false;
    const result = isSkipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
    const outcome: TestOutcome = {
      name: data.name,
      result,
      reason: type === 'test:fail' ? reasonOf(data.details.error) : '',
    };
    yield `${JSON.stringify(outcome)}\n`;
  }
}

/** Node wraps what a test has thrown. */
function reasonOf(error: Error): string {
  const thrown = error.cause instanceof Error ? error.cause : error;
  return thrown.message.trim().split('\n').slice(0, 3).join(' ').slice(0, 300);
}
