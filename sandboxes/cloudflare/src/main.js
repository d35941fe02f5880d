/** Shows the responses to a request of the page and to a request of the Cloudflare worker. */
async function show(id, url) {
  const { text } = await (await fetch(url)).json()
  document.querySelector(`#${id}`).textContent = text
}
await Promise.all([show('page', '/api/title'), show('worker', '/from-worker')])
