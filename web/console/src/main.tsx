import { createRoot } from 'react-dom/client';
import { PageBoundary } from '../../common/page-boundary.js';
import { applyTheme } from '../../common/theme.js';
import '../../common/theme.css';
import './components/components.css';
import { App } from './layout/app.js';

applyTheme();
createRoot(document.getElementById('page') ?? document.body).render(
  <PageBoundary>
    <App />
  </PageBoundary>,
);
