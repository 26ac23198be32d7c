import { createRoot } from 'react-dom/client';
import { PageBoundary } from '../../common/page-boundary.js';
import { applyTheme } from '../../common/theme.js';
import '../../common/theme.css';
import { App } from './layout/app.js';
import { loadSettings } from './settings.js';
import { createShop } from './shop.js';

applyTheme();
const root = createRoot(document.getElementById('page') ?? document.body);

async function open(): Promise<void> {
  const shop = createShop(await loadSettings());
  void shop.basket.recover().catch(() => undefined); // what could not be asked now is asked when it is needed
  root.render(
    <PageBoundary>
      <App shop={shop} />
    </PageBoundary>,
  );
}

open().catch(() => {
  root.render(
    <main className="broken" role="alert">
      <h1>The shop is closed for a moment</h1>
      <p className="quiet">The service does not answer. Try again shortly.</p>
      <p>
        <button type="button" className="button primary" onClick={() => location.reload()}>
          Try again
        </button>
      </p>
    </main>,
  );
});
