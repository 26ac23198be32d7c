/** A value that nobody changes, all the way down: what is inferred from a schema is mutable otherwise. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Member in keyof T]: DeepReadonly<T[Member]> }
    : T;
