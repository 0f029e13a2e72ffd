import { Component, type ComponentChild, type ComponentType, createElement, type VNode } from 'preact';

/** The same component, which is drawn again only when one of its properties is another object or value. */
export function pure<Props extends object>(
  draw: (props: Props) => VNode | null,
): ComponentType<Props & { readonly key?: string | number }> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const names = Object.keys({ ...this.props, ...next }) as (keyof Props)[];
      return names.some(name => next[name] !== this.props[name]);
    }

    override render(): ComponentChild {
      return createElement(draw, this.props as Props);
    }
  };
}
