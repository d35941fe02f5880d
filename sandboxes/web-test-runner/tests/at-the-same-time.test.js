// Runs the same tests in another page, at the same time.
import './plays.test.js'
