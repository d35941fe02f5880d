document.title = 'app'
