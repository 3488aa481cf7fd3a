"""Django REST framework on the same tables, as one would write it: prefetch_related, page numbers. NYMDEX_FILE; PORT"""
import os
import sys

import django
from django.conf import settings

settings.configure(
    DEBUG=False,
    SECRET_KEY="bench",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["NYMDEX_FILE"], "CONN_MAX_AGE": None}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    REST_FRAMEWORK={
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "DEFAULT_PERMISSION_CLASSES": [],
        "UNAUTHENTICATED_USER": None,
    },
)
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import models  # noqa: E402
from django.urls import include, path  # noqa: E402
from rest_framework import pagination, routers, serializers, viewsets  # noqa: E402

TERMS = [f"p{n}" for n in range(1, 13)]


class Account(models.Model):
    name = models.TextField()

    class Meta:
        app_label, db_table, managed = "bench", "account", False


class Headed(models.Model):
    owner = models.ForeignKey(Account, models.DO_NOTHING, db_column="owner", related_name="+")
    name = models.TextField()
    src = models.TextField()
    area = models.TextField()
    wiki = models.TextField()
    name_key = models.TextField()

    class Meta:
        abstract = True


class Polynym(Headed):
    src_key = models.TextField()
    mode = models.TextField()
    depth = models.IntegerField()
    for _term in TERMS:
        locals()[_term] = models.TextField()

    class Meta:
        app_label, db_table, managed = "bench", "polynym", False


class Polyset(Headed):
    class Meta:
        app_label, db_table, managed = "bench", "polyset", False


class PolynymVote(models.Model):
    record = models.ForeignKey(Polynym, models.DO_NOTHING, db_column="record", related_name="votes")
    account = models.ForeignKey(Account, models.DO_NOTHING, db_column="account", related_name="+")

    class Meta:
        app_label, db_table, managed, ordering = "bench", "polynym_votes", False, ["-id"]


class PolysetVote(models.Model):
    record = models.ForeignKey(Polyset, models.DO_NOTHING, db_column="record", related_name="votes")
    account = models.ForeignKey(Account, models.DO_NOTHING, db_column="account", related_name="+")

    class Meta:
        app_label, db_table, managed, ordering = "bench", "polyset_votes", False, ["-id"]


class Link(models.Model):
    holder = models.ForeignKey(Polyset, models.DO_NOTHING, db_column="holder", related_name="links")
    place = models.IntegerField(primary_key=True)
    target = models.ForeignKey(Polynym, models.DO_NOTHING, db_column="target", related_name="+")

    class Meta:
        app_label, db_table, managed, ordering = "bench", "polyset_polynyms", False, ["place"]


class HeadedSerializer(serializers.ModelSerializer):
    user = serializers.CharField(source="owner.name")
    likes = serializers.SerializerMethodField()
    voters = serializers.SerializerMethodField()

    def get_likes(self, record):
        return len(record.votes.all()) or None

    def get_voters(self, record):
        return [vote.account.name for vote in record.votes.all()] or None

    def to_representation(self, record):
        shown = super().to_representation(record)
        return {key: value for key, value in shown.items() if value is not None and value != ""}


HEAD = ["name", "user", "src", "area", "wiki", "likes", "voters"]


class PolynymSerializer(HeadedSerializer):
    polynym_id = serializers.IntegerField(source="id")

    class Meta:
        model = Polynym
        fields = [*HEAD, "mode", "depth", *TERMS, "polynym_id"]


class PolysetSerializer(HeadedSerializer):
    polynyms = serializers.SerializerMethodField()
    polyset_id = serializers.IntegerField(source="id")

    def get_polynyms(self, record):
        return PolynymSerializer([link.target for link in record.links.all()], many=True).data

    def to_representation(self, record):
        shown = super().to_representation(record)
        depths = [polynym["depth"] for polynym in shown["polynyms"]]
        own_id = shown.pop("polyset_id")
        return {**shown, "length": len(depths), "width": sum(depths), "depth": max(depths), "polyset_id": own_id}

    class Meta:
        model = Polyset
        fields = [*HEAD, "polynyms", "polyset_id"]


class Pages(pagination.PageNumberPagination):
    page_size = 20
    page_size_query_param = "page_size"
    max_page_size = 1000


class PolynymView(viewsets.ReadOnlyModelViewSet):
    queryset = Polynym.objects.order_by("name_key", "src_key", "id").select_related("owner").prefetch_related("votes__account")
    serializer_class = PolynymSerializer
    pagination_class = Pages


class PolysetView(viewsets.ReadOnlyModelViewSet):
    queryset = (
        Polyset.objects.order_by("name_key", "id")
        .select_related("owner")
        .prefetch_related("votes__account", "links__target__owner", "links__target__votes__account")
    )
    serializer_class = PolysetSerializer
    pagination_class = Pages


router = routers.SimpleRouter()
router.register("polynym", PolynymView)
router.register("polyset", PolysetView)
urlpatterns = [path("api/", include(router.urls))]
application = get_wsgi_application()

if __name__ == "__main__":
    from wsgiref.simple_server import WSGIRequestHandler, make_server

    class Quiet(WSGIRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

    make_server("127.0.0.1", int(sys.argv[1]), application, handler_class=Quiet).serve_forever()
