import { useEffect, useState } from 'preact/hooks';

const THEMES = ['system', 'light', 'dark'] as const;

type Theme = (typeof THEMES)[number];

/** Switches between the system's theme, light and dark. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>('system');
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return (
    <label class="theme">
      <span class="hidden">Theme</span>
      <select value={theme} onChange={event => setTheme(event.currentTarget.value as Theme)}>
        {THEMES.map(name => (
          <option key={name} value={name}>
            {name === 'system' ? 'System' : `${name[0]?.toUpperCase()}${name.slice(1)}`}
          </option>
        ))}
      </select>
    </label>
  );
}
