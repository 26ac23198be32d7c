import type { Browser, BrowserContextOptions } from 'playwright-core';
import { DemoCatalogue } from '../../src/inventory/sku/demo-catalogue.js';
import { startBrowser } from '../setup/browser.js';
import { expectSound } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';
import { newVisitor, type Visitor } from './visitor.js';

/** The service with its pages and the demo catalogue, as `npm start` has it, and a browser to visit it. */
export class PageStage {
  private readonly visitors: Visitor[] = [];

  protected constructor(
    readonly test: TestApp,
    private readonly browser: Browser,
  ) {}

  protected static async start(env: Readonly<Record<string, string>>): Promise<[TestApp, Browser]> {
    const [test, browser] = await Promise.all([startTestApp(env), startBrowser()]);
    await test.app.get(DemoCatalogue).seed();
    return [test, browser];
  }

  /** Everybody leaves; what the browser complained about comes out. */
  async complaints(): Promise<string[]> {
    const leaving = this.visitors.splice(0);
    await Promise.all(leaving.map((visitor) => visitor.leave()));
    return leaving.flatMap(({ complaints }) => complaints);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.test.close();
  }

  protected async newVisitor(path: string, options: BrowserContextOptions): Promise<Visitor> {
    const visitor = await newVisitor(this.browser, `${this.test.url}${path}`, options);
    this.visitors.push(visitor);
    return visitor;
  }
}

/** The stage of a file's tests. After each of them no browser has complained, and the books are in order. */
export function useStage<S extends PageStage>(open: () => Promise<S>): () => S {
  let stage: S | undefined;
  beforeAll(async () => {
    stage = await open();
  }, 300_000);
  afterAll(() => stage?.close());
  afterEach(async () => {
    expect(await stage?.complaints()).toEqual([]);
    if (stage) await expectSound(stage.test.api);
  });
  return () => stage!;
}
