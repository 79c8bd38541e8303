package org.azuremail.web.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.list.SegmentStore;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** The tables whose headings sort them, in an installation that has nothing else. */
@PageTest
@TestPropertySource(properties = "azuremail.operations.currency=EUR")
@DirtiesContext
class SortedTablesTest {

    @Autowired
    TestBrowser browser;

    @Autowired
    ListStore lists;

    @Autowired
    SegmentStore segments;

    @Autowired
    ManualTime time;

    @BeforeEach
    void signIn() throws Exception {
        for (String[] list : new String[][] {{"sorted_a", "Zebras"}, {"sorted_b", ""}, {"sorted_c", "apples"}}) {
            lists.create(MailingList.of(
                    new ListName(list[0]),
                    list[1],
                    new Mailbox(new EmailAddress("news@example.org"), ""),
                    OptIn.DOUBLE,
                    time.instant()));
        }
        browser.signIn();
    }

    @Test
    void listsAreSortedByTheirHeadingsAndEmptyValuesComeLast() throws Exception {
        browser.open("/lists");
        assertThat(browser.page().select("th[aria-sort]")).isEmpty();

        assertThat(rowsBy("Description")).containsExactly("sorted_c", "sorted_a", "sorted_b");
        assertThat(heading("Description").attr("aria-sort")).isEqualTo("ascending");
        assertThat(rowsBy("Description")).containsExactly("sorted_a", "sorted_c", "sorted_b");
        assertThat(heading("Description").attr("aria-sort")).isEqualTo("descending");
        assertThat(browser.page().select("th[aria-sort]")).hasSize(1);
        assertThat(rowsBy("Name")).containsExactly("sorted_a", "sorted_b", "sorted_c");
    }

    @Test
    void aTableThatContinuesOnAnotherPageIsNotSorted() throws Exception {
        browser.open("/lists?after=sorted_a&sort=name&dir=desc");

        assertThat(rows()).containsExactly("sorted_b", "sorted_c");
        assertThat(browser.page().select("thead a, th[aria-sort]")).isEmpty();
    }

    @Test
    void keysAreSortedByLabelAndTime() throws Exception {
        for (String label : List.of("Zoe", "anna", "Mia")) {
            time.advance(Duration.ofMinutes(1));
            browser.open("/keys/new").submit("/keys/new", Map.of("label", label, "scope", "ADMIN"));
        }
        browser.open("/keys");

        assertThat(rowsBy("Purpose")).extracting(SortedTablesTest::firstWord).containsSubsequence("anna", "Mia", "Zoe");
        assertThat(rowsBy("Created")).extracting(SortedTablesTest::firstWord).containsSubsequence("Zoe", "anna", "Mia");
        assertThat(rowsBy("Created")).extracting(SortedTablesTest::firstWord).containsSubsequence("Mia", "anna", "Zoe");
    }

    @Test
    void segmentsAreSortedWithinTheChosenList() throws Exception {
        for (String[] segment : new String[][] {{"sorted_a", "west"}, {"sorted_a", "east"}, {"sorted_c", "north"}}) {
            segments.insert(new Segment(new ListName(segment[0]), new SegmentName(segment[1]), "", "{}"));
        }
        browser.open("/segments?list=sorted_a");

        assertThat(rowsBy("Segment")).extracting(SortedTablesTest::firstWord).containsExactly("east", "west");
        assertThat(rowsBy("Segment")).extracting(SortedTablesTest::firstWord).containsExactly("west", "east");
        assertThat(browser.address()).contains("list=sorted_a");
    }

    @Test
    void theTeamIsSortedAlsoAfterAFaultyInvitation() throws Exception {
        browser.open("/accounts");
        assertThat(rowsBy("Email address")).isNotEmpty();
        assertThat(heading("Email address").attr("aria-sort")).isEqualTo("ascending");

        browser.submit("/accounts/invite", Map.of("email", "none"));

        assertThat(browser.status()).isEqualTo(422);
        assertThat(browser.page().select("thead a")).isEmpty();
    }

    @Test
    void subscribersAreInTheOrderOfTheStorage() throws Exception {
        browser.open("/subscribers/new?list=sorted_a")
                .submit("/subscribers/new", Map.of("email", "bob@example.org", "name", "Bob"));

        browser.open("/subscribers?list=sorted_a");

        assertThat(heading("Email address").attr("aria-sort")).isEqualTo("ascending");
        assertThat(browser.page().select("thead a")).isEmpty();
    }

    private List<String> rowsBy(String heading) throws Exception {
        browser.open("/" + browser.address().split("[/?]")[1]
                + heading(heading).select("a").attr("href"));
        return rows();
    }

    private List<String> rows() throws Exception {
        return browser.page().select("tbody th[scope=row]").eachText();
    }

    private Element heading(String text) throws Exception {
        return browser.page().select("thead th:contains(" + text + ")").first();
    }

    private static String firstWord(String text) {
        return text.split(" ")[0];
    }
}
