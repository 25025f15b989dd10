// Opens a report in Chromium, clicks through it, and prints what it showed as JSON.
const { chromium } = require("playwright-core");

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

async function look(browser, file, viewport, colorScheme) {
  const page = await browser.newPage({ viewport, colorScheme });
  const seen = { outside: [], complaints: [] };
  page.on("request", (request) => {
    if (!request.url().startsWith("file:")) seen.outside.push(request.url());
  });
  page.on("console", (message) => seen.complaints.push(message.text()));
  page.on("pageerror", (error) => seen.complaints.push(String(error)));
  await page.goto(`file://${file}`);
  seen.title = await page.title();
  seen.heading = await page.locator("h1").textContent();
  seen.fits = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  seen.background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  seen.scripts = await page.locator("script, [onclick], [onload], [onerror], img, link").count();
  seen.marks = await page.locator(".path svg a").count();
  const rows = page.locator(".cycles li:visible");
  seen.rows = await rows.count();
  await page.locator("label[for=f-reverts]").click();
  seen.reverts = await rows.allTextContents();
  await page.locator("label[for=f-all]").click();

  // A mark in the picture unfolds its cycle.
  await page.locator("details:has(#c1) summary").click();
  seen.folded = !(await page.locator("#c1").isVisible());
  await page.locator(".path svg a[href='#c1']").first().click();
  seen.unfolded = await page.locator("#c1").isVisible();

  // So does the name of a revert in the timeline.
  await page.locator(".cycles a[href='#r1']").click();
  const revert = page.locator("details.revert:has(#r1)");
  seen.diff = await revert.locator("pre.diff").innerText();
  seen.added = await revert.locator("pre.diff ins").count();
  await page.close();
  return seen;
}

(async () => {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
  const file = process.argv[2];
  const desktop = await look(browser, file, { width: 1200, height: 900 }, "light");
  const phone = await look(browser, file, { width: 390, height: 844 }, "dark");
  await browser.close();
  console.log(JSON.stringify({ desktop, phone }));
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
