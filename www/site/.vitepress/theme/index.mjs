import Theme from 'vitepress/theme-without-fonts';
import HomePage from './HomePage.vue';
import IssueFacts from './IssueFacts.vue';
import IssueTable from './IssueTable.vue';
import OpenInInspector from './OpenInInspector.vue';
import './site.css';

export default {
  extends: Theme,
  enhanceApp({ app }) {
    app.component('HomePage', HomePage);
    app.component('IssueFacts', IssueFacts);
    app.component('IssueTable', IssueTable);
    app.component('OpenInInspector', OpenInInspector);
  },
};
