/**
 * Loaded before every test file. To know which test an uncaught error belongs to, node:test follows every promise and
 * every socket with an async hook, which takes a tenth of all that our stories compute. It gets a hook that follows
 * nothing. Instead an uncaught error ends its file at once, which has failed then, and the error is shown with where
 * it comes from.
 */
import asyncHooks from 'node:async_hooks';

const { createHook } = asyncHooks;

/** Whoever asks first is node:test, which is loaded after us. */
asyncHooks.createHook = () => {
  asyncHooks.createHook = createHook;
  const nothing = { enable: () => nothing, disable: () => nothing };
  return nothing;
};

function fail(error: unknown): void {
  console.error('Nobody caught this error, so this file has failed:', error);
  process.exit(1);
}
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
