/** Shows what a request of the page and a request of the Cloudflare worker get. */
async function show(id, url) {
  const { text } = await (await fetch(url)).json()
  document.querySelector(`#${id}`).textContent = text
}
await Promise.all([show('page', '/api/title'), show('worker', '/from-worker')])
