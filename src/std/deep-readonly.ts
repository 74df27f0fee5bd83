/** The same type, read-only at every level. */
export type DeepReadonly<T> = T extends string | number | boolean | bigint | symbol | null | undefined
  ? T
  : T extends (...given: never[]) => unknown
    ? T
    : T extends Map<infer K, infer V>
      ? ReadonlyMap<K, DeepReadonly<V>>
      : T extends Set<infer V>
        ? ReadonlySet<V>
        : T extends readonly (infer V)[]
          ? readonly DeepReadonly<V>[]
          : { readonly [K in keyof T]: DeepReadonly<T[K]> };
