const response = await fetch('/api/user')
document.querySelector('main').textContent = await response.text()
