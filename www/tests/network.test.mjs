import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openExample, openPage, site } from './support/page.mjs';

test('once it is loaded the page makes no request', async t => {
  const { page, problems } = await openPage(t);
  await openExample(page, 'All as it should be');
  await page.waitForLoadState('networkidle');
  const loaded = [...site.requests];
  assert.ok(loaded.some(path => path.includes('worker')));
  await openExample(page, 'A refund gone wrong');
  await page.locator('.issue-links .link').first().click();
  await page.locator('.options > summary').click();
  await page.getByLabel(/^Strict/).check();
  await page.locator('.dial-value', { hasText: '0.15' }).waitFor();
  await page.getByLabel('Theme').selectOption('dark');
  await page.waitForTimeout(500);
  assert.deepEqual(site.requests, loaded);
  assert.deepEqual(site.elsewhere, []);
  assert.deepEqual(problems, []);
});

test('the policy stops requests that the page would make anyway', async t => {
  const { page } = await openPage(t);
  await page.waitForLoadState('networkidle');
  const before = site.requests.length;
  const outcome = await page.evaluate(async () => {
    const image = new Image();
    const loaded = new Promise(resolve => {
      image.onload = () => resolve('loaded');
      image.onerror = () => resolve('refused');
    });
    image.src = 'http://elsewhere.example/pixel.png';
    const fetched = await Promise.allSettled([fetch('/index.html'), fetch('http://elsewhere.example/')]);
    return [await loaded, navigator.sendBeacon('/beacon') && 'queued', ...fetched.map(({ status }) => status)];
  });
  assert.equal(outcome[0], 'refused');
  assert.deepEqual(outcome.slice(2), ['rejected', 'rejected']);
  await page.waitForTimeout(300);
  assert.equal(site.requests.length, before);
  assert.deepEqual(site.elsewhere, []);
});

test('the policy of the page applies to its worker', async t => {
  const { page } = await openPage(t);
  await openExample(page, 'All as it should be');
  await page.waitForLoadState('networkidle');
  const before = site.requests.length;
  const outcome = await page.workers()[0].evaluate(async own => {
    const attempts = [
      fetch(`${own}/index.html`),
      fetch('http://elsewhere.example/'),
      import('http://elsewhere.example/a.js'),
    ];
    const settled = await Promise.allSettled(attempts);
    const opened = (() => {
      try {
        return new WebSocket('ws://elsewhere.example/').readyState;
      } catch (error) {
        return error.name;
      }
    })();
    return [...settled.map(({ status }) => status), opened];
  }, site.address);
  assert.deepEqual(outcome.slice(0, 3), ['rejected', 'rejected', 'rejected']);
  await page.waitForTimeout(300);
  assert.equal(site.requests.length, before);
  assert.deepEqual(site.elsewhere, []);
});

test('the page and the file for static hosts state one policy', async () => {
  const page = await readFile(new URL('../dist/index.html', import.meta.url), 'utf8');
  const headers = await readFile(new URL('../dist/_headers', import.meta.url), 'utf8');
  const [, inPage] = /content="(default-src[^"]+)"/.exec(page);
  const [, inHeaders] = /Content-Security-Policy: (.+)/.exec(headers);
  // A page cannot restrict who frames it.
  assert.equal(inHeaders, `${inPage}; frame-ancestors 'none'`);
});
