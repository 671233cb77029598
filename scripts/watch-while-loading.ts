/**
 * Node's test runner follows every promise of its process, to know to which test one belongs. It needs that while files
 * are loaded, when each test finds the suite that it is in. Later it would only name the test in which an error came up
 * that nobody caught, and a tenth of what stories take was spent on it. Such an error still fails the run.
 */
import { type AsyncHook, createHook } from 'node:async_hooks';

/** Begins before the first test is declared; what it gives is called after the last. */
export function watchWhileLoading(): () => void {
  const hooks = Object.getPrototypeOf(createHook({})) as { enable(this: AsyncHook): AsyncHook };
  const { enable } = hooks;
  const watching: AsyncHook[] = [];
  hooks.enable = function () {
    watching.push(this);
    return enable.call(this);
  };
  return () => {
    hooks.enable = enable;
    for (const hook of watching) hook.disable();
  };
}
