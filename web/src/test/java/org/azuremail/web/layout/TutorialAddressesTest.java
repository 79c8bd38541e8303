package org.azuremail.web.layout;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

@PageTest
class TutorialAddressesTest {

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @ParameterizedTest
    @CsvSource({
        "/MailingList, /lists",
        "/mailinglist/Index, /lists",
        "/MailingList/Create, /lists/new",
        "/MailingList/Edit?PartitionKey=contoso1&RowKey=mailinglist, /lists/contoso1/edit",
        "/MailingList/Delete?partitionKey=contoso1&rowKey=mailinglist, /lists/contoso1/delete",
        "/MailingList/Edit, /lists",
        "/Message, /messages",
        "/Message/Create, /messages/new",
        "/Message/Details?PartitionKey=2026-01-01&RowKey=message634852858215726983, /messages/634852858215726983",
        "/Message/Edit?PartitionKey=2026-01-01&RowKey=message7, /messages/7/edit",
        "/Message/Delete?PartitionKey=2026-01-01&RowKey=messageX, /messages",
        "/Subscriber, /subscribers",
        "/Subscriber/Create, /subscribers",
        "/Subscriber/Edit?PartitionKey=contoso1&RowKey=student1%2Ba%40domain.com, "
                + "/subscribers/edit?list=contoso1&email=student1%2Ba%40domain.com",
        "/Subscriber/Details?PartitionKey=contoso1&RowKey=a%26list%3Db, "
                + "/subscribers/details?list=contoso1&email=a%26list%3Db",
        "/Subscriber/Delete?RowKey=a%40b.c, /subscribers",
        "/MailingList/Edit?PartitionKey=//evil.test/, /lists/%2F%2Fevil.test%2F/edit",
    })
    void addressOfTheTutorialLeadsToOurs(String tutorial, String ours) throws Exception {
        TestBrowser browser = browsers.getObject().signIn().openWithoutFollowing(tutorial);

        assertThat(browser.status()).isEqualTo(301);
        assertThat(browser.header("Location")).isEqualTo(ours);
    }
}
