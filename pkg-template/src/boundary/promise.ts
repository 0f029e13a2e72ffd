/** A value or a promise of it. */
export type MaybePromise<Value> = Value | PromiseLike<Value>;

/** True for anything that can be awaited. */
export function isPromise<Value>(value: MaybePromise<Value>): value is PromiseLike<Value> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
