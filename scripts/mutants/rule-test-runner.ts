/**
 * Runs the tests of rules for Stryker, within its worker process. All faults are in the loaded code already, each behind
 * a switch, so that trying one is a switch and the tests that reach it: milliseconds, not a process.
 *
 * What runs only while a module is loaded (a table, a constant) needs a new process; Stryker starts it, because
 * `reloadEnvironment` is false, and only the tests of that rule are loaded there.
 */
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  INSTRUMENTER_CONSTANTS,
  type InstrumenterContext,
  type MutantCoverage,
  type StrykerOptions,
} from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  type TestRunnerCapabilities,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';
import { type CollectedTest, collectTests } from './collected-tests.ts';
import { ignoreMessages } from './ignore-messages.ts';
import { ruleAt, testsOf } from './rules.ts';

/** What the faults in the code are switched by. */
type Switches = { [Name in keyof InstrumenterContext]: InstrumenterContext[Name] | undefined };
const everywhere = globalThis as { [INSTRUMENTER_CONSTANTS.NAMESPACE]?: Switches };
const switches: Switches = (everywhere[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {});

/**
 * Stryker allows a hundred times as often as without faults before it calls a loop endless, for runners that look for the
 * smallest failing example. Here the first one ends the run: five times is enough, and ends in seconds.
 */
const hitLimitPart = 20;

class RuleTestRunner implements TestRunner {
  static readonly inject = tokens(commonTokens.options);
  readonly #options: StrykerOptions;
  readonly #loaded = new Map<string, readonly CollectedTest[]>();

  constructor(options: StrykerOptions) {
    this.#options = options;
  }

  capabilities(): TestRunnerCapabilities {
    return { reloadEnvironment: false };
  }

  async init(): Promise<void> {
    const standIn = new URL('./collected-tests.ts', import.meta.url).href;
    registerHooks({
      resolve: (specifier, context, next) =>
        specifier === 'node:test' ? { url: standIn, shortCircuit: true } : next(specifier, context),
    });
    // The same examples every time, so that a score is not a matter of luck. The smallest one does not matter here.
    fc.configureGlobal({ seed: 1, endOnFailure: true });
  }

  async dryRun(): Promise<DryRunResult> {
    const files = new Set(this.#options.mutate.flatMap((path) => testsOf(ruleAt(path))));
    const results: TestResult[] = [];
    for (const test of await this.#load(files)) {
      switches.currentTestId = idOf(test);
      results.push(await run(test));
    }
    switches.currentTestId = undefined;
    const { mutantCoverage } = switches;
    if (!mutantCoverage) return { status: DryRunStatus.Error, errorMessage: 'No test reaches any of the rules.' };
    return { status: DryRunStatus.Complete, tests: results, mutantCoverage: switchable(mutantCoverage) };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, mutantActivation, testFilter, sandboxFileName } = options;
    const hitLimit = options.hitLimit && Math.ceil(options.hitLimit / hitLimitPart);
    switches.activeMutant = mutantActivation === 'static' ? activeMutant.id : undefined;
    try {
      const tests = await this.#load(testsOf(ruleAt(sandboxFileName)));
      Object.assign(switches, {
        activeMutant: activeMutant.id,
        hitLimit,
        hitCount: hitLimit === undefined ? hitLimit : 0,
      });
      const results: TestResult[] = [];
      for (const test of tests.toSorted(quickestFirst)) {
        if (testFilter !== undefined && !testFilter.includes(idOf(test))) continue;
        const result = await run(test);
        results.push(result);
        if (result.status === TestStatus.Failed) break;
      }
      const endless = determineHitLimitReached(switches.hitCount, hitLimit);
      return toMutantRunResult(endless ?? { status: DryRunStatus.Complete, tests: results });
    } catch (error) {
      return toMutantRunResult({ status: DryRunStatus.Error, errorMessage: String(error) });
    } finally {
      switches.activeMutant = undefined;
    }
  }

  async #load(files: Iterable<string>): Promise<readonly CollectedTest[]> {
    const tests: CollectedTest[] = [];
    for (const file of files) {
      const known = this.#loaded.get(file);
      const found = known ?? (await collectTests(file, () => import(pathToFileURL(resolve(file)).href)));
      this.#loaded.set(file, found);
      tests.push(...found);
    }
    return tests;
  }
}

/** What is reached while the files are loaded, but by tests as well, needs no new process: the tests can notice it. */
function switchable({ static: whileLoading, perTest }: MutantCoverage): MutantCoverage {
  const byTests = new Set(Object.values(perTest).flatMap((hits) => Object.keys(hits)));
  const onlyLoading = Object.entries(whileLoading).filter(([mutant]) => !byTests.has(mutant));
  return { static: Object.fromEntries(onlyLoading), perTest };
}

/** Most faults are noticed by an example, in a hundredth of the time that a property takes. */
const quickestFirst = (a: CollectedTest, b: CollectedTest): number => expectedMs(a) - expectedMs(b);
const expectedMs = (test: CollectedTest): number =>
  leastMs.get(idOf(test)) ?? (isProperty(test) ? Number.MAX_SAFE_INTEGER : 0);
const isProperty = ({ run }: CollectedTest): boolean => run.toString().includes('fc.assert(');

/** How long each test took when it was quickest; one that failed ended early. */
const leastMs = new Map<string, number>();

const idOf = ({ file, name }: CollectedTest): string => `${file} ${name}`;

async function run(test: CollectedTest): Promise<TestResult> {
  const started = performance.now();
  const facts = () => ({
    id: idOf(test),
    name: test.name,
    fileName: resolve(test.file),
    timeSpentMs: performance.now() - started,
  });
  try {
    await test.run();
    const passed = facts();
    leastMs.set(passed.id, Math.min(leastMs.get(passed.id) ?? Infinity, passed.timeSpentMs));
    return { ...passed, status: TestStatus.Success };
  } catch (error) {
    return { ...facts(), status: TestStatus.Failed, failureMessage: String(error) };
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'rules', RuleTestRunner), ignoreMessages];
