/** A value or a promise of it. */
export type MaybePromise<Value> = Value | PromiseLike<Value>;

export function isPromise<Value>(value: MaybePromise<Value>): value is PromiseLike<Value> {
  return isObject(value) && typeof (value as { then?: unknown }).then === 'function';
}

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
