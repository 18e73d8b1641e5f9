/** The usual theme, with tables and long words that a phone can show. */
import DefaultTheme from 'vitepress/theme'
import './narrow.css'

export default DefaultTheme
