import { useEffect } from 'preact/hooks';
import { isTyping } from './use-keys.ts';

/** Opens what is pasted anywhere but into a field or the editor: files, or a text. */
export function usePaste(onFiles: (files: readonly File[]) => void): void {
  useEffect(() => {
    const open = (event: ClipboardEvent) => {
      if (isTyping(event)) return;
      const files = [...(event.clipboardData?.files ?? [])];
      const text = event.clipboardData?.getData('text') ?? '';
      if (files.length > 0) onFiles(files);
      else if (text.trim() !== '') onFiles([new File([text], 'pasted text')]);
      else return;
      event.preventDefault();
    };
    addEventListener('paste', open);
    return () => removeEventListener('paste', open);
  }, [onFiles]);
}
