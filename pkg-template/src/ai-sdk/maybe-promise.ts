import { isPromise, type MaybePromise } from '../boundary/promise.js';

/** Applies `next` at once if `value` is no promise, and else when it has settled. */
export function chain<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return isPromise(value) ? value.then(next) : next(value);
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
