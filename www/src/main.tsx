import { render } from 'preact';
import { Inspector } from './view/inspector.tsx';

const root = document.getElementById('inspector');
if (root !== null) render(<Inspector />, root);
